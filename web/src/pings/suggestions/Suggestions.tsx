import type { OwnPing } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLayoutEffect, useMemo } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { circlesQuery } from '../../circles/circles.api.ts'
import { friendsQuery } from '../../friends/friends.api.ts'
import { t } from '../../i18n/translate.ts'
import { knownAddressees } from '../drop-again/addressees.ts'
import { useWaitingPings } from '../outbox/ping-outbox.ts'
import type { PinRecord } from '../pin-records/pin-records.rules.ts'
import { SuggestionChip } from './SuggestionChip.tsx'
import { useAreSuggestionsShown } from './stored-suggestions.ts'
import { needsCircles, suggestionsOf, unexpiredKeysOf, waitingKeysOf } from './suggestions.rules.ts'

interface Props {
  owner: User
  pings: readonly OwnPing[]
  records: readonly PinRecord[]
  /** Called with the height of the suggestions in pixels; 0 without any. */
  onHeight: (heightPx: number) => void
}

const rowPx = 56

/**
 * Up to three pins that the user drops often, with the friends and circles that the device knows. Reads the circles if one of
 * the pins is for a circle. The places are those of the records of this device.
 */
export function Suggestions({ owner, pings, records, onHeight }: Props) {
  const queryClient = useQueryClient()
  const nowMs = useServerNow(30_000)
  const friends = useQuery({ ...friendsQuery(), enabled: false }).data
  const waiting = useWaitingPings()
  const areShown = useAreSuggestionsShown(owner.id)
  const areForCircles = useMemo(() => areShown && needsCircles(records, nowMs), [areShown, records, nowMs])
  const circles = useQuery({ ...circlesQuery(), enabled: areForCircles }).data
  // biome-ignore lint/correctness/useExhaustiveDependencies: friends and circles are read from the cache
  const suggestions = useMemo(
    () => (areShown ? suggestionsOf(records, knownAddressees(queryClient), nowMs, hiddenKeys()) : []),
    [areShown, records, pings, friends, circles, nowMs, waiting],
  )
  const heightPx = suggestions.length === 0 ? 0 : rowPx

  function hiddenKeys() {
    return new Set([...unexpiredKeysOf(pings, nowMs), ...waitingKeysOf(waiting, Date.now())])
  }

  // Before the next paint, so that the sheet grows together with its content.
  useLayoutEffect(() => onHeight(heightPx), [heightPx, onHeight])

  if (suggestions.length === 0) return null
  return (
    <Box
      component="ul"
      aria-label={t('pings.suggestion.title')}
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 1,
        height: rowPx,
        m: 0,
        px: 2,
        pt: 0.5,
        overflowX: 'auto',
        scrollbarWidth: 'none',
        listStyle: 'none',
      }}
    >
      {suggestions.map((suggestion) => (
        <SuggestionChip key={suggestion.key} owner={owner} suggestion={suggestion} />
      ))}
    </Box>
  )
}
