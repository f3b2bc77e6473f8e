import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { CountedField } from '../../ui/CountedField.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { isValidPlaceName, savedPlaceLimits } from './saved-places.rules.ts'

interface Props {
  open: boolean
  title: string
  /** The initial name. */
  name: string
  isDisabled?: boolean
  children?: ReactNode
  onSave: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a saved place. */
export function PlaceNameDialog({ open, title, onClose, ...form }: Props) {
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} maxWidth="xs" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      {/* Unmounted with the dialog, so that each opening starts with the initial name. */}
      <PlaceNameForm {...form} onClose={onClose} />
    </Dialog>
  )
}

function PlaceNameForm({
  name: initial,
  isDisabled = false,
  children,
  onSave,
  onClose,
}: Omit<Props, 'open' | 'title'>) {
  const [name, setName] = useState(() => [...initial].slice(0, savedPlaceLimits.nameMax).join(''))

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    // The dialog may be rendered inside of another form.
    event.stopPropagation()
    if (!isDisabled && isValidPlaceName(name)) onSave(name.trim())
  }

  return (
    <form noValidate onSubmit={handleSubmit}>
      <DialogContent>
        <Box sx={{ display: 'grid', gap: 1.5, pt: 1 }}>
          <CountedField
            label={t('pings.savedPlace.name')}
            value={name}
            max={savedPlaceLimits.nameMax}
            error={undefined}
            autoFocus
            onChange={setName}
          />
          {children}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('pings.savedPlace.cancel')}</Button>
        <Button type="submit" variant="contained" disabled={isDisabled || !isValidPlaceName(name)}>
          {t('pings.savedPlace.confirm')}
        </Button>
      </DialogActions>
    </form>
  )
}
