import Alert from '@mui/material/Alert'
import Snackbar from '@mui/material/Snackbar'
import { useState } from 'react'

const durationMs = { error: 5000, success: 3000 } as const

export interface Message {
  readonly key: number
  readonly severity: keyof typeof durationMs
  readonly text: string
}

/** Says one thing for a while. */
export function MessageBar({ message, onGone }: { message: Message; onGone: () => void }) {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <Snackbar
      open={isOpen}
      autoHideDuration={durationMs[message.severity]}
      onClose={(_event, reason) => reason !== 'clickaway' && setIsOpen(false)}
      slotProps={{ transition: { onExited: onGone } }}
      sx={{ position: 'static', pointerEvents: 'auto' }}
    >
      <Alert
        severity={message.severity}
        variant="filled"
        role={message.severity === 'error' ? 'alert' : 'status'}
        onClose={() => setIsOpen(false)}
        sx={{ width: '100%', maxWidth: 520 }}
      >
        {message.text}
      </Alert>
    </Snackbar>
  )
}
