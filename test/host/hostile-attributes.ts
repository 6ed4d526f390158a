/** Attributes of a create event that nothing is wrong with. */
export const attributes = {
  specversion: '1.0',
  id: 'hostile',
  source: '/hostile',
  type: 'org.openstack.magnum.cluster.create.v1',
  subject: 'a3f0b1c2-0000-4000-8000-00000000dead',
  time: '2026-11-30T10:00:00Z',
};
