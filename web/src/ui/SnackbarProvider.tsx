import Box from '@mui/material/Box'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { type Message } from './MessageBar.tsx'
import { SnackbarContext, type Snackbars } from './use-snackbar.ts'

const MessageBar = lazy(loadMessageBar)

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
      {/* In the body: an open dialog hides the app behind it from screen readers, and this with it. */}
      {messages.length > 0 &&
        createPortal(
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
            <Suspense fallback={null}>
              {messages.map((message) => (
                <MessageBar
                  key={message.key}
                  message={message}
                  onGone={() => setMessages((before) => before.filter(({ key }) => key !== message.key))}
                />
              ))}
            </Suspense>
          </Box>,
          document.body,
        )}
    </SnackbarContext>
  )
}

/** Comes after the first picture, and to visitors only when something is said, which is hardly ever. */
export async function loadMessageBar() {
  return { default: (await import('./MessageBar.tsx')).MessageBar }
}
