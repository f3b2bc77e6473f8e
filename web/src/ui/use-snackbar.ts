import { createContext, useContext } from 'react'
import type { NoticeAction } from './notices/notices.ts'

/** A message about what will happen at the end of a time, with the action that prevents it. */
export interface CountdownMessage {
  /** Differs from those of other countdowns. */
  readonly id: string
  readonly text: string
  readonly durationMs: number
  readonly action: NoticeAction
  /** Called repeatedly while the countdown is paused, with the remaining time. */
  readonly onPaused: (leftMs: number) => void
}

export interface Snackbars {
  showError: (message: string) => void
  showNotice: (message: string, actions?: readonly NoticeAction[]) => void
  /** Shows the message at once and until the returned function is called. */
  showCountdown: (message: CountdownMessage) => () => void
}

export const SnackbarContext = createContext<Snackbars | null>(null)

export function useSnackbar(): Snackbars {
  const snackbars = useContext(SnackbarContext)
  if (snackbars === null) throw new Error('useSnackbar needs a SnackbarProvider above it')
  return snackbars
}
