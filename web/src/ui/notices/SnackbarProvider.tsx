import Box from '@mui/material/Box'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { loadPart } from '../load-module.ts'
import { type CountdownMessage, SnackbarContext, type Snackbars } from '../use-snackbar.ts'
import type { Message } from './MessageBar.tsx'
import { withMessage } from './messages.rules.ts'
import type { NoticeAction } from './notices.ts'

const MessageBar = lazy(async () => ({ default: (await loadPart(importMessageBar)).MessageBar }))

const CountdownBar = lazy(async () => ({
  default: (await loadPart(() => import('./CountdownBar.tsx'))).CountdownBar,
}))

let lastKey = 0

/**
 * Renders one message at a time above the navigation and above a floating button; the others wait in a queue. A message
 * that is shown again replaces its earlier copy, and an error the one on the screen, so that each action gets its own reason. Countdowns are shown in addition, because their actions must not wait.
 */
export function SnackbarProvider({ children }: { children: ReactNode }) {
  const [messages, setMessages] = useState<readonly Message[]>([])

  const [countdowns, setCountdowns] = useState<readonly CountdownMessage[]>([])

  const snackbars = useMemo<Snackbars>(() => {
    function show(severity: Message['severity'], text: string, actions?: readonly NoticeAction[]) {
      const message: Message = { key: ++lastKey, severity, text, ...(actions && { actions }) }
      setMessages((before) => withMessage(before, message))
    }
    return {
      showError: (text) => show('error', text),
      showNotice: (text, actions) => show('success', text, actions),
      showCountdown(message) {
        setCountdowns((before) => [...before, message])
        return () => setCountdowns((before) => before.filter((other) => other !== message))
      },
    }
  }, [])

  return (
    <SnackbarContext value={snackbars}>
      {children}
      {/* Rendered into the body, because an open dialog hides the app behind it from screen readers. */}
      {(messages.length > 0 || countdowns.length > 0) &&
        createPortal(
          <Box
            sx={{
              position: 'fixed',
              zIndex: 'snackbar',
              insetInlineStart: { xs: 'max(8px, var(--sal))', sm: 'max(24px, var(--sal))' },
              insetInlineEnd: { xs: 'max(8px, var(--sar))', sm: 'auto' },
              // The floating button is at the other side of wide windows.
              bottom: {
                xs: 'calc(var(--bottom-bar, 0px) + var(--composer, 0px) + var(--floating-button, 0px) + 12px)',
                md: 'calc(var(--bottom-bar, 0px) + var(--composer, 0px) + 12px)',
              },
              display: 'grid',
              gap: 1,
              pointerEvents: 'none',
            }}
          >
            <Suspense fallback={null}>
              {countdowns.map((message) => (
                <CountdownBar key={message.id} {...message} />
              ))}
            </Suspense>
            {/* A boundary of its own: the countdowns stay while the code of the first message is loaded. */}
            <Suspense fallback={null}>
              {messages.slice(0, 1).map((message) => (
                <MessageBar
                  key={message.key}
                  message={message}
                  areMoreWaiting={messages.length > 1}
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

/**
 * The message bar is not part of the first load. The signed-in app loads it after the first screen, visitors load it
 * with their first message.
 */
export function importMessageBar() {
  return import('./MessageBar.tsx')
}
