import Button from '@mui/material/Button'
import Snackbar from '@mui/material/Snackbar'
import { useState } from 'react'
import { takeUpdate } from './registration.ts'
import { pwaStrings } from './strings.ts'

/** Asks before a new version takes over, because a reload would discard unsaved input. */
export function UpdateBar() {
  const [isLater, setIsLater] = useState(false)
  return (
    <Snackbar
      open={!isLater}
      message={pwaStrings.updateReady}
      anchorOrigin={{ vertical: 'top', horizontal: 'center' }}
      sx={{ top: { xs: 'calc(var(--top-bar, 0px) + 8px)', sm: 'calc(var(--top-bar, 0px) + 16px)' } }}
      action={
        <>
          <Button color="inherit" size="small" onClick={() => setIsLater(true)}>
            {pwaStrings.later}
          </Button>
          <Button color="inherit" size="small" sx={{ fontWeight: 700 }} onClick={takeUpdate}>
            {pwaStrings.update}
          </Button>
        </>
      }
    />
  )
}
