import type { Address } from '../operation.ts'

export const getConfig = {
  method: 'GET',
  path: '/config',
  auth: 'none',
} as const satisfies Address
