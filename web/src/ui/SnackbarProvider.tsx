import Box from '@mui/material/Box'
import Portal from '@mui/material/Portal'
import { type ReactNode, useMemo, useState } from 'react'
import { type Message, MessageBar } from './MessageBar.tsx'
import { SnackbarContext, type Snackbars } from './use-snackbar.ts'

const shownMax = 3
let lastKey = 0

/** Messages above the navigation, the newest lowest. Said again, one takes its own place. */
export function SnackbarProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([])

  const snackbars = useMemo<Snackbars>(() => {
    function show(severity: Message['severity'], text: string) {
      const message = { key: ++lastKey, severity, text }
      setMessages((before) => [...before.filter((other) => other.text !== text), message].slice(-shownMax))
    }
    return { showError: (text) => show('error', text), showNotice: (text) => show('success', text) }
  }, [])

  return (
    <SnackbarContext value={snackbars}>
      {children}
      {messages.length > 0 && (
        // In the body: an open dialog hides the app behind it from screen readers, and this with it.
        <Portal>
          <Box
            sx={{
              position: 'fixed',
              zIndex: 'snackbar',
              left: { xs: 'max(8px, var(--sal))', sm: 'max(24px, var(--sal))' },
              right: { xs: 'max(8px, var(--sar))', sm: 'auto' },
              bottom: 'calc(var(--bottom-bar, 0px) + var(--composer, 0px) + 12px)',
              display: 'grid',
              gap: 1,
              pointerEvents: 'none',
            }}
          >
            {messages.map((message) => (
              <MessageBar
                key={message.key}
                message={message}
                onGone={() => setMessages((before) => before.filter(({ key }) => key !== message.key))}
              />
            ))}
          </Box>
        </Portal>
      )}
    </SnackbarContext>
  )
}
