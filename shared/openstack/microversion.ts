/** A microversion as `2.64`. */
export type Microversion = `${number}.${number}`;
