import { ApiError } from './api.ts';
import type { Token } from './state.ts';

/** The roles that the default policies of the services ask for, each with the roles that imply it. */
const implying = {
  reader: ['reader', 'member', 'manager', 'admin'],
  member: ['member', 'manager', 'admin'],
} as const;

export type PolicyRole = keyof typeof implying;

export function hasRole(token: Token, role: PolicyRole): boolean {
  return implying[role].some((name) => token.roles.includes(name));
}

/** @param rule as `os_compute_api:servers:detail`. @throws ApiError 403 as Nova and Cinder word it */
export function requireRole(token: Token, role: PolicyRole, rule: string): void {
  if (!hasRole(token, role)) throw new ApiError(403, `Policy doesn't allow ${rule} to be performed.`);
}
