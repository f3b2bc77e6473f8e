import type { UserId } from '@hither/contract/ids.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { serverNow } from '../../api/server-time.ts'
import { newId } from '../../device/ids.ts'
import { t } from '../../i18n/translate.ts'
import { endTime } from '../../ui/format-time.ts'
import type { Snackbars } from '../../ui/use-snackbar.ts'
import { withPing } from '../outbox/outbox.rules.ts'
import { droppedHere, waitingPings } from '../outbox/ping-outbox.ts'
import type { NewPing } from '../ping-shapes.ts'
import { isBusy, postpone, undo, undoMs, undoPeriodOf, whenFree } from './undo-period.ts'

interface OneTapPin {
  /** The button that was tapped. It does nothing until its pin has been sent for the first time, which may take long. */
  button: string
  input: NewPing
  wantsChat: boolean
  /** The number of friends who will see the pin; null while it is unknown. */
  friendsCount: number | null
}

/** The buttons whose tap is being stored. */
const tapped = new Set<string>()

/**
 * Creates a ping that waits on the device first, where it can be undone, because no form has shown its audience. The
 * outbox sends the ping at the end of that time and shows the result. Resolves when the button can be used again.
 */
export async function dropWithUndo(owner: UserId, pin: OneTapPin, snackbars: Snackbars): Promise<void> {
  const { button, input, wantsChat } = pin
  if (tapped.has(button) || isBusy(button)) return
  tapped.add(button)
  const client_id = newId()
  const written_at = Date.now()
  const timing = { written_at, send_after: written_at + undoMs }
  droppedHere.add(client_id)
  const content = { input, image: null, wants_chat: wantsChat, refusal: null, made: null }
  await waitingPings
    .edit(owner, (pings) => withPing(pings, { client_id, button, ...timing, ...content }))
    .finally(() => tapped.delete(button))
  const close = snackbars.showCountdown({
    id: client_id,
    text: droppingText(pin, serverNow()),
    durationMs: undoMs,
    onPaused: (leftMs) => void postpone(owner, client_id, leftMs),
    action: {
      label: t('pings.oneTap.undo'),
      onClick: async () => {
        if (await undo(owner, client_id)) snackbars.showNotice(t('pings.oneTap.undone'))
      },
    },
  })
  await undoPeriodOf(client_id)
  close()
  await whenFree(button)
}

/** "Dropping My Pin for 4 friends, until 9:40 PM". */
function droppingText({ input, friendsCount }: OneTapPin, nowMs: number): string {
  const people =
    friendsCount === null ? t('pings.oneTap.everyFriend') : t('pings.audience.friends', { count: friendsCount })
  const minutes = input.duration_minutes ?? pingLimits.durationDefaultMinutes
  return t('pings.oneTap.dropping', {
    name: input.name,
    audience: t('pings.audience.text', {
      people,
      time: t('pings.audience.until', { time: endTime(nowMs + minutes * 60_000, nowMs) }),
    }),
  })
}
