import type { InvitedPing, PublicPing } from '@hither/contract/pings.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { usePingStatus } from '../view/use-ping-status.ts'
import { useStoredGuest } from './stored-guests.ts'

const ClaimQuestion = lazyComponent(async () => (await import('./ClaimQuestion.tsx')).ClaimQuestion)

/** Offers to move the response that was given on this device without an account. Renders nothing without one. */
export function ClaimGuest({ ping }: { ping: InvitedPing | PublicPing }) {
  const stored = useStoredGuest(ping.id)
  const isExpired = usePingStatus(ping) === 'expired'
  if (stored?.isSent !== true || isExpired) return null
  return <ClaimQuestion pingId={ping.id} stored={stored} />
}
