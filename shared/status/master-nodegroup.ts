/** Name that Magnum gives to the nodegroup of the control plane, the only one of its role. */
export const masterNodegroup = 'default-master';
