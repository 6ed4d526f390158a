/** Whether a process exists; one that ended but whose parent has not noticed still does. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
