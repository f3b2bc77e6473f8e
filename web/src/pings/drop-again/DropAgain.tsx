import type { PingId } from '@hither/contract/ids.ts'
import type { DurationMinutes, OwnPing } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { Place } from '../../map/map-defaults.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import type { PingDraft } from '../create/ping-draft.ts'
import { myPingsQuery, pingQuery } from '../pings.api.ts'
import { pingDetailsStrings } from '../view/strings.ts'
import { knownAddressees } from './addressees.ts'
import { draftOfPing } from './drop-again.rules.ts'

/** Starts a new pin with the content of the one that the address names. */
export function DropAgain({ onDraft }: { onDraft: (draft: PingDraft, place: Place) => unknown }) {
  const [params, setParams] = useSearchParams()
  const queryClient = useQueryClient()
  const { showError } = useSnackbar()
  const pingId = params.get('again') as PingId | null
  const minutes = params.get('minutes')

  // biome-ignore lint/correctness/useExhaustiveDependencies: starts the pin once, whatever changes in the other one
  useEffect(() => {
    if (pingId === null) return
    // Removes the parameter, so that a reload or going back does not start the pin again.
    setParams({}, { replace: true })
    void findOwnPing(queryClient, pingId)
      .catch(() => null)
      .then((ping) => {
        if (ping === null) return showError(pingDetailsStrings.loadOneFailed)
        onDraft(draftOfPing(ping, knownAddressees(queryClient), offeredDuration(minutes)), ping)
      })
  }, [pingId])

  return null
}

/** Undefined if the duration of the pin decides. */
function offeredDuration(minutes: string | null): DurationMinutes | undefined {
  return pingLimits.durationsMinutes.find((offered) => String(offered) === minutes)
}

/** Makes a request only if the device does not have the ping. */
async function findOwnPing(queryClient: QueryClient, pingId: PingId): Promise<OwnPing | null> {
  const listed = queryClient.getQueryData(myPingsQuery().queryKey)?.find(({ id }) => id === pingId)
  const ping = listed ?? (await queryClient.ensureQueryData(pingQuery(pingId)))
  return ping?.access === 'owner' ? ping : null
}
