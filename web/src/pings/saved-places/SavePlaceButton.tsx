import BookmarkAddRounded from '@mui/icons-material/BookmarkAddRounded'
import Button, { type ButtonProps } from '@mui/material/Button'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import type { NewPlace } from './SavePlaceDialog.tsx'

const SavePlaceDialog = lazyComponent(async () => (await import('./SavePlaceDialog.tsx')).SavePlaceDialog)

interface Props extends Pick<ButtonProps, 'size' | 'variant' | 'color' | 'sx'> {
  place: NewPlace
}

/** Opens the dialog that saves a place on this device. */
export function SavePlaceButton({ place, ...button }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button startIcon={<BookmarkAddRounded />} aria-haspopup="dialog" onClick={() => setIsOpen(true)} {...button}>
        {t('pings.savedPlace.save')}
      </Button>
      <SavePlaceDialog open={isOpen} place={place} onClose={() => setIsOpen(false)} />
    </>
  )
}
