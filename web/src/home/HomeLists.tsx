import type { Ping } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { t } from '../i18n/translate.ts'
import { FriendsNearby } from '../pings/lists/FriendsNearby.tsx'
import { MyPins } from '../pings/lists/MyPins.tsx'
import type { WaitingPing } from '../pings/outbox/outbox.rules.ts'
import { usePinRecords } from '../pings/pin-records/pin-records.ts'
import { myPingsQuery } from '../pings/pings.api.ts'
import { rememberHeight } from '../pings/suggestions/stored-suggestions.ts'
import { lazyComponent } from '../ui/lazy.tsx'
import { EmptyNearby } from './EmptyNearby.tsx'

// Without a network they may fail to load. Home works without them.
const Suggestions = lazyComponent(() =>
  import('../pings/suggestions/Suggestions.tsx').then(
    ({ Suggestions }) => Suggestions,
    () => NoSuggestions,
  ),
)

function NoSuggestions({ onHeight }: { onHeight: (heightPx: number) => void }) {
  useLayoutEffect(() => onHeight(0), [onHeight])
  return null
}

interface Props {
  user: User
  isMineExpanded: boolean
  /** Whether the lists replace the map, because this browser cannot render it. */
  isMapless: boolean
  /** The height of the suggestions, at first the remembered one. */
  suggestionsPx: number
  onSuggestions: (heightPx: number) => void
  onToggleMine: () => void
  onOpen: (ping: Ping) => void
  onEdit: (ping: WaitingPing) => void
  onAdd: () => void
}

/** The lists in the sheet or next to the map. */
export function HomeLists({ user, isMineExpanded, isMapless, onToggleMine, ...handlers }: Props) {
  const { suggestionsPx, onSuggestions, onOpen, onEdit, onAdd } = handlers
  const { data: pings } = useQuery(myPingsQuery())
  const [isReserved, setIsReserved] = useState(true)
  const handleHeight = useCallback(
    (heightPx: number) => {
      setIsReserved(false)
      rememberHeight(user.id, heightPx)
      onSuggestions(heightPx)
    },
    [onSuggestions, user.id],
  )
  const records = usePinRecords()
  const isKnown = pings !== undefined && records !== null
  const canSuggest = isKnown && records.length > 1

  useEffect(() => {
    if (isKnown && !canSuggest) handleHeight(0)
  }, [isKnown, canSuggest, handleHeight])

  return (
    <>
      {isMapless && (
        <Alert severity="info" sx={{ mx: 2, mb: 1 }}>
          {t('map.unsupported')}
        </Alert>
      )}
      {isReserved && <Box sx={{ height: suggestionsPx }} />}
      {canSuggest && <Suggestions owner={user} pings={pings} records={records} onHeight={handleHeight} />}
      <MyPins viewer={user} isExpanded={isMineExpanded} onToggle={onToggleMine} onOpen={onOpen} onEdit={onEdit} />
      <Box sx={{ borderTop: 1, borderColor: 'divider' }} />
      <FriendsNearby viewer={user} onOpen={onOpen} empty={<EmptyNearby user={user} onAdd={onAdd} />} />
    </>
  )
}
