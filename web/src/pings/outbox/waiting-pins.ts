import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import { t } from '../../i18n/translate.ts'
import type { Pin } from '../../map/pins/pins.ts'
import { sendStateOf, type WaitingPing } from './outbox.rules.ts'

const prefix = 'waiting-'

/** Returns map pins for waiting pings. Those that were not sent in time are only in the list, like expired pings. */
export function waitingPinsOf(pings: readonly WaitingPing[], nowMs: number, owner: User): Pin[] {
  return pings.flatMap((ping) => {
    const sendState = sendStateOf(ping, nowMs)
    if (sendState !== 'waiting' && sendState !== 'refused') return []
    const { caption, label } = textsOf(ping, sendState)
    return [
      {
        id: waitingPinId(ping),
        latitude: ping.input.latitude,
        longitude: ping.input.longitude,
        radiusM: null,
        look: 'pending' as const,
        userId: owner.id,
        name: shownName(owner),
        hasImage: false,
        fractionLeft: 1,
        caption,
        note: null,
        label: [t('pings.you'), ping.input.name, label.toLowerCase()].join(', '),
      },
    ]
  })
}

function textsOf({ send_after }: WaitingPing, sendState: 'waiting' | 'refused'): { caption: string; label: string } {
  if (sendState === 'refused') return { caption: t('pings.waiting.lateCaption'), label: t('pings.waiting.lateCaption') }
  // The outbox removes the end of the undo period if it could not send the ping.
  if (send_after !== undefined) return { caption: t('pings.sending'), label: t('pings.sending') }
  return { caption: t('pings.waiting.caption'), label: t('pings.waiting.waiting') }
}

/** Never equals the id of a pin that the server has created. */
export function waitingPinId({ client_id }: WaitingPing): string {
  return prefix + client_id
}
