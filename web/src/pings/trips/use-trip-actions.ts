import type { PingId } from '@hither/contract/ids.ts'
import type { User } from '@hither/contract/users.ts'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useArrive, useStopTrip } from './trips.mutations.ts'

/** How long "I'm here" can be undone. */
const undoMs = 5000

interface Target {
  readonly ping_id: PingId
}

/** What the viewer does about a trip with one tap, with the messages about it. */
export function useTripActions(viewer: User) {
  const arriving = useArrive(viewer)
  const stopping = useStopTrip(viewer)
  const { showCountdown, showNotice } = useSnackbar()

  function stop({ ping_id: pingId }: Target) {
    stopping.mutateAsync({ pingId }).then(
      () => showNotice(t('trips.stopped')),
      // The mutation has said why.
      () => undefined,
    )
  }

  function arrive(trip: Target) {
    arriving.mutateAsync({ pingId: trip.ping_id }).then(
      () => offerUndo(trip),
      () => undefined,
    )
  }

  function offerUndo(trip: Target) {
    const hide = showCountdown({
      id: `trip ${trip.ping_id}`,
      text: t('trips.markedAsHere'),
      durationMs: undoMs,
      action: {
        label: t('trips.undo'),
        onClick: () => {
          end()
          stop(trip)
        },
      },
      onPaused: (leftMs) => {
        clearTimeout(timer)
        timer = setTimeout(end, leftMs)
      },
    })
    let timer = setTimeout(end, undoMs)

    function end() {
      clearTimeout(timer)
      hide()
    }
  }

  return { arrive, stop }
}
