/** The parts of the bench in the order of the design's budgets, with the titles of their sections. */
export const sectionTitles = {
  start: 'Bundles, start and memory',
  cold: 'Cold start by CPU quota',
  create: 'Create and render',
  operations: 'Operations on a cluster',
  calls: 'Status and health computations',
  life: 'A recorded life',
  many: '200 clusters in progress',
  throughput: 'Event throughput on one core',
  memory: 'Memory over 100,000 events',
  nodegroups: 'Growth with nodegroups',
  resync: 'Resync, and growth with clusters',
} as const;

export type PartName = keyof typeof sectionTitles;

export const partNames = Object.keys(sectionTitles).filter((name): name is PartName => name in sectionTitles);
