import Alert from '@mui/material/Alert'
import Portal from '@mui/material/Portal'
import Snackbar, { type SnackbarCloseReason } from '@mui/material/Snackbar'
import { type ReactNode, type SyntheticEvent, useMemo, useState } from 'react'
import { SnackbarContext, type Snackbars } from './use-snackbar.ts'

const durationMs = { error: 5000, success: 3000 } as const

interface Shown {
  key: number
  severity: keyof typeof durationMs
  message: string
}

/** One message at a time above the navigation; a new one takes the place of the old. */
export function SnackbarProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [isOpen, setIsOpen] = useState(false)

  const snackbars = useMemo<Snackbars>(() => {
    function show(severity: Shown['severity'], message: string) {
      setShown((before) => ({ key: (before?.key ?? 0) + 1, severity, message }))
      setIsOpen(true)
    }
    return { showError: (message) => show('error', message), showNotice: (message) => show('success', message) }
  }, [])

  function handleClose(_event: SyntheticEvent | Event, reason?: SnackbarCloseReason) {
    if (reason !== 'clickaway') setIsOpen(false)
  }

  return (
    <SnackbarContext value={snackbars}>
      {children}
      {shown && (
        // In the body: an open dialog hides the app behind it from screen readers, and this with it.
        <Portal>
          <Snackbar
            key={shown.key}
            open={isOpen}
            autoHideDuration={durationMs[shown.severity]}
            onClose={handleClose}
            sx={{ bottom: { xs: 'calc(var(--bottom-bar, 0px) + 12px)', sm: 'calc(var(--bottom-bar, 0px) + 20px)' } }}
          >
            <Alert
              severity={shown.severity}
              variant="filled"
              role={shown.severity === 'error' ? 'alert' : 'status'}
              onClose={() => setIsOpen(false)}
              sx={{ width: '100%', maxWidth: 520 }}
            >
              {shown.message}
            </Alert>
          </Snackbar>
        </Portal>
      )}
    </SnackbarContext>
  )
}
