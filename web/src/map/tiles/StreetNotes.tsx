import type { MapConfig } from '@hither/contract/maps.ts'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { MapAlert } from '../engine/MapAlert.tsx'
import { MapNote } from '../engine/MapNote.tsx'
import { useIsOffline } from './network.ts'
import { attempts, type StreetStatus } from './street-status.ts'

interface Props {
  status: StreetStatus
  config: MapConfig | null
  /** Shown while there is no problem. */
  note: string | null
  /** Whether a street map of this server covers the view, so that the online one is not missed. */
  isCovered: boolean
  onRetry: () => void
}

/**
 * Shows the state of the map: at most one line or one alert. Without network, the app says so elsewhere, and a failed
 * street map is no error.
 */
export function StreetNotes({ status, config, note, isCovered, onRetry }: Props) {
  const [hidden, setHidden] = useState<StreetStatus | null>(null)
  const isSilent = useIsOffline() || isCovered
  if (isSilent) return note === null ? null : <MapNote>{note}</MapNote>
  if (status.phase === 'failed' && hidden !== status) {
    const isKey = status.reason === 'key'
    return (
      <MapAlert
        message={isKey ? (config?.key == null ? t('map.keyMissing') : t('map.keyRefused')) : t('map.streetsFailed')}
        onRetry={isKey ? undefined : onRetry}
        onHide={() => setHidden(status)}
      />
    )
  }
  const isRetrying = (status.phase === 'waiting' || status.phase === 'loading') && status.attempt > 1
  if (isRetrying)
    return <MapNote isWorking>{t('map.loadingStreets', { attempt: status.attempt, of: attempts })}</MapNote>
  return note === null ? null : <MapNote>{note}</MapNote>
}
