import { type MapConfig } from '@hither/contract/maps.ts'
import { useState } from 'react'
import { MapAlert } from './MapAlert.tsx'
import { MapNote } from './MapNote.tsx'
import { attempts, type StreetStatus } from './street-status.ts'
import { mapStrings } from './strings.ts'

interface Props {
  status: StreetStatus
  config: MapConfig | null
  /** Said while nothing is wrong. */
  note: string | null
  onRetry: () => void
}

/** How it stands with what the map shows: at most one line, or one alert. */
export function StreetNotes({ status, config, note, onRetry }: Props) {
  const [hidden, setHidden] = useState<StreetStatus | null>(null)
  if (status.phase === 'failed' && hidden !== status) {
    const isKey = status.reason === 'key'
    return (
      <MapAlert
        message={isKey ? mapStrings.keyRefused(config?.key ?? null) : mapStrings.streetsFailed}
        onRetry={isKey ? undefined : onRetry}
        onHide={() => setHidden(status)}
      />
    )
  }
  const isTryingAgain = (status.phase === 'waiting' || status.phase === 'loading') && status.attempt > 1
  if (isTryingAgain) return <MapNote isWorking>{mapStrings.loadingStreets(status.attempt, attempts)}</MapNote>
  return note === null ? null : <MapNote>{note}</MapNote>
}
