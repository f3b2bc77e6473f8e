import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import { t } from '../i18n/translate.ts'
import { FoldedTools } from '../map/engine/FoldedTools.tsx'
import { MapNote } from '../map/engine/MapNote.tsx'
import type { Place } from '../map/map-defaults.ts'
import { UploadNote } from '../pings/pictures/UploadNote.tsx'
import { lazyComponent } from '../ui/lazy.tsx'
import { MapButtons } from './MapButtons.tsx'
import { QuickPinButton } from './QuickPinButton.tsx'
import type { useHomeLayout } from './use-home-layout.ts'
import type { useNewPin } from './use-new-pin.ts'

const NotificationSuggestion = lazyComponent(
  async () => (await import('../notifications/push/NotificationSuggestion.tsx')).NotificationSuggestion,
)

interface Props {
  user: User | null
  positions: ReturnType<typeof useHomeLayout>['buttons']
  newPin: ReturnType<typeof useNewPin>
  isLocating: boolean
  /** Whether the tools of the map are unfolded on a low screen. */
  areToolsOpen: boolean
  onToggleTools: () => void
  onRecenter: () => void
  onPin: (place: Place) => void
}

/** What lies over the map of Home: its notes, the buttons and the suggestion to turn notifications on. */
export function HomeTools({
  user,
  positions,
  newPin,
  isLocating,
  areToolsOpen,
  onToggleTools,
  onRecenter,
  onPin,
}: Props) {
  return (
    <>
      {isLocating && !newPin.isOpen ? <MapNote isWorking>{t('map.location.locating')}</MapNote> : <UploadNote />}
      {user && (
        <QuickPinButton
          owner={user}
          {...positions.quick}
          findPlace={newPin.findPlace}
          onPin={onPin}
          onForm={newPin.atPosition}
        />
      )}
      <FoldedTools isOpen={areToolsOpen} onToggle={onToggleTools} />
      <MapButtons {...positions.add} isLocating={isLocating} onRecenter={onRecenter} onAdd={newPin.atDevice} />
      {user && (
        <Box sx={{ position: 'absolute', zIndex: 2, top: 12, insetInlineStart: 12, insetInlineEnd: 72 }}>
          <NotificationSuggestion key={user.id} user={user} />
        </Box>
      )}
    </>
  )
}
