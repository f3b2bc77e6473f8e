import Button from '@mui/material/Button'
import Snackbar from '@mui/material/Snackbar'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { takeUpdate } from './registration.ts'

/** Asks before a new version takes over, because a reload would discard unsaved input. */
export function UpdateBar() {
  const [isLater, setIsLater] = useState(false)
  return (
    <Snackbar
      open={!isLater}
      message={t('pwa.updateReady')}
      anchorOrigin={{ vertical: 'top', horizontal: 'center' }}
      sx={{ top: { xs: 'calc(var(--top-bar, 0px) + 8px)', sm: 'calc(var(--top-bar, 0px) + 16px)' } }}
      action={
        <>
          <Button color="inherit" size="small" onClick={() => setIsLater(true)}>
            {t('pwa.later')}
          </Button>
          <Button color="inherit" size="small" sx={{ fontWeight: 700 }} onClick={takeUpdate}>
            {t('pwa.update')}
          </Button>
        </>
      }
    />
  )
}
