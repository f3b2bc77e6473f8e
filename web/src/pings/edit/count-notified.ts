import type { OwnPing, PingResponse } from '@hither/contract/pings.ts'

/** Returns the number of people who are going or maybe and can get a notification: guests without an account cannot. */
export function countNotified({ responses, guests }: Pick<OwnPing, 'responses' | 'guests'>): number {
  const reachable = guests.filter(({ state, user_id }) => state === 'approved' && user_id !== null)
  const isComing = ({ response_type }: Pick<PingResponse, 'response_type'>) => response_type !== 'declined'
  return [...responses, ...reachable].filter(isComing).length
}
