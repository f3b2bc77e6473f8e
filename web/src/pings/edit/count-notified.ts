import type { OwnPing, PingResponse } from '@hither/contract/pings.ts'

/**
 * Returns the number of people who are going or maybe and can get a notification: guests without an account cannot, and guests
 * of a ping that is not public see nothing of it.
 */
export function countNotified({
  responses,
  guests,
  is_public,
}: Pick<OwnPing, 'responses' | 'guests' | 'is_public'>): number {
  const reachable = guests.filter(({ state, user_id }) => is_public && state === 'approved' && user_id !== null)
  const isComing = ({ response_type }: Pick<PingResponse, 'response_type'>) => response_type !== 'declined'
  return [...responses, ...reachable].filter(isComing).length
}
