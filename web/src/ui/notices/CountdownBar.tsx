import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import { useEffect, useEffectEvent, useState } from 'react'
import type { CountdownMessage } from '../use-snackbar.ts'

const tickMs = 100

/** A message with a ring that runs out. It pauses while its button has the keyboard focus. */
export function CountdownBar({ text, durationMs, action, onPaused }: CountdownMessage) {
  const [leftMs, setLeftMs] = useState(durationMs)
  const [isPaused, setIsPaused] = useState(false)

  const tick = useEffectEvent(() => {
    // A second more than what is left, because the next call may be late.
    if (isPaused) onPaused(leftMs + 1000)
    else setLeftMs(Math.max(0, leftMs - tickMs))
  })
  useEffect(() => {
    const timer = setInterval(tick, tickMs)
    return () => clearInterval(timer)
  }, [])

  return (
    <Alert
      severity="info"
      variant="filled"
      role="status"
      icon={
        <CircularProgress
          aria-hidden
          variant="determinate"
          value={(leftMs / durationMs) * 100}
          size={22}
          thickness={6}
          color="inherit"
        />
      }
      action={
        <Button
          color="inherit"
          onClick={action.onClick}
          onFocus={({ target }) => setIsPaused(target.matches(':focus-visible'))}
          onBlur={() => {
            if (isPaused) onPaused(leftMs)
            setIsPaused(false)
          }}
        >
          {action.label}
        </Button>
      }
      sx={{
        width: '100%',
        maxWidth: 520,
        pointerEvents: 'auto',
        alignItems: 'center',
        // The color of filled information has too little contrast in the dark scheme.
        '&&': { bgcolor: 'primary.main', color: 'primary.contrastText' },
      }}
    >
      {text}
    </Alert>
  )
}
