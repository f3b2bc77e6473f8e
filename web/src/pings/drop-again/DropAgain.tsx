import type { PingId } from '@hither/contract/ids.ts'
import type { DurationMinutes, OwnPing } from '@hither/contract/pings.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../../map/map-defaults.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import type { PingDraft } from '../create/ping-draft.ts'
import { type PinRecord, recordOf } from '../pin-records/pin-records.rules.ts'
import { pinRecords } from '../pin-records/pin-records.ts'
import { pingQuery } from '../pings.api.ts'
import { findCached } from '../pings.cache.ts'
import { isExact } from '../place/place.rules.ts'
import { knownAddressees } from './addressees.ts'
import { draftOfPing } from './drop-again.rules.ts'

interface Props {
  onDraft: (draft: PingDraft, place: Place) => unknown
  /** The exact place is not stored anymore. `area` is the center of its area. */
  onDraftWithoutPlace: (draft: PingDraft, area: OwnPing, reason: string) => unknown
}

/** Starts a new pin with the content of the one that the address names. */
export function DropAgain({ onDraft, onDraftWithoutPlace }: Props) {
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
    void start(pingId)
  }, [pingId])

  async function start(id: PingId) {
    const duration = offeredDuration(minutes)
    const cached = findCachedPing(queryClient, id)
    const record = cached && isExact(cached) ? recordOf(cached) : await findRecord(id)
    if (record !== undefined) return onDraft(draftOfPing(record, knownAddressees(queryClient), { duration }), record)
    const ping = cached ?? (await readOwnPing(queryClient, id).catch(() => null))
    if (ping === null) return showError(t('pings.loadOneFailed'))
    const hasPlace = isExact(ping)
    const draft = draftOfPing(recordOf(ping), knownAddressees(queryClient), { duration, hasPlace })
    if (hasPlace) onDraft(draft, ping)
    else onDraftWithoutPlace(draft, ping, t('pings.dropAgain.placeErased'))
  }

  return null
}

/** Undefined if the duration of the pin decides. */
function offeredDuration(minutes: string | null): DurationMinutes | undefined {
  return pingLimits.durationsMinutes.find((offered) => String(offered) === minutes)
}

function findCachedPing(queryClient: QueryClient, pingId: PingId): OwnPing | undefined {
  const ping = findCached(queryClient, pingId)
  return ping?.access === 'owner' ? ping : undefined
}

async function findRecord(pingId: PingId): Promise<PinRecord | undefined> {
  await pinRecords.reread()
  return pinRecords.items().find(({ ping_id }) => ping_id === pingId)
}

async function readOwnPing(queryClient: QueryClient, pingId: PingId): Promise<OwnPing | null> {
  const ping = await queryClient.ensureQueryData(pingQuery(pingId))
  return ping?.access === 'owner' ? ping : null
}
