/**
 * Options of Node with which the server runs, also in `deploy/`: half of the young generation that Node allows by default. The
 * full one fills the memory of a small machine while many clients connect; docs/decisions/0022 has the figures.
 */
export const serverOptions: readonly string[] = ['--max-semi-space-size=8']
