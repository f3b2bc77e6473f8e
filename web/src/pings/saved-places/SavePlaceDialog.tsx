import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { newId } from '../../device/ids.ts'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../../map/map-defaults.ts'
import { isStoragePersistent } from '../../outbox/persistent-queue.ts'
import { sessionState } from '../../session/session.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { SwitchField } from '../create/SwitchField.tsx'
import { PlaceNameDialog } from './PlaceNameDialog.tsx'
import { canSaveAnother, withSavedPlace } from './saved-places.rules.ts'
import { savedPlaces, useSavedPlaces } from './saved-places.ts'

export interface NewPlace extends Place {
  /** The initial name. */
  name?: string
  address: string | null
}

interface Props {
  open: boolean
  place: NewPlace
  onClose: () => void
}

/** Saves a place on this device. */
export function SavePlaceDialog({ open, place, onClose }: Props) {
  const { showNotice } = useSnackbar()
  const isFull = !canSaveAnother(useSavedPlaces())
  const [isPrivate, setIsPrivate] = useState(false)

  async function handleSave(name: string) {
    const owner = sessionState().user?.id
    if (owner === undefined) return
    const { latitude, longitude, address } = place
    const saved = { id: newId(), name, latitude, longitude, address, is_private: isPrivate }
    onClose()
    await savedPlaces.edit(owner, (places) =>
      withSavedPlace(places, { ...saved, created_at: new Date().toISOString() }),
    )
    setIsPrivate(false)
    showNotice(t('pings.savedPlace.saved'))
  }

  return (
    <PlaceNameDialog
      open={open}
      title={t('pings.savedPlace.save')}
      name={place.name ?? ''}
      isDisabled={isFull}
      onSave={handleSave}
      onClose={onClose}
    >
      <SwitchField
        label={t('pings.savedPlace.private')}
        help={t('pings.savedPlace.privateHelp')}
        checked={isPrivate}
        onChange={setIsPrivate}
      />
      <Typography variant="body2" color="textSecondary">
        {t('pings.savedPlace.onDevice')}
      </Typography>
      <Box role="status" sx={{ '&:empty': { position: 'absolute' } }}>
        {isFull && <Alert severity="warning">{t('pings.savedPlace.full')}</Alert>}
        {!isStoragePersistent() && <Alert severity="warning">{t('pings.savedPlace.notKept')}</Alert>}
      </Box>
    </PlaceNameDialog>
  )
}
