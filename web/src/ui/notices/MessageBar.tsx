import CloseRounded from '@mui/icons-material/CloseRounded'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Snackbar from '@mui/material/Snackbar'
import { useState } from 'react'
import { langOf } from '../../api/server-texts.ts'
import { t } from '../../i18n/translate.ts'
import type { NoticeAction } from './notices.ts'

const durationMs = { error: 5000, success: 3000 } as const
/** The duration while other messages wait. */
const queuedMs = { error: 3000, success: 1500 } as const

export interface Message {
  readonly key: number
  readonly severity: keyof typeof durationMs
  readonly text: string
  readonly actions?: readonly NoticeAction[]
}

interface Props {
  message: Message
  areMoreWaiting: boolean
  onGone: () => void
}

/** Shows one message for a limited time. */
export function MessageBar({ message, areMoreWaiting, onGone }: Props) {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <Snackbar
      open={isOpen}
      autoHideDuration={(areMoreWaiting ? queuedMs : durationMs)[message.severity]}
      onClose={(_event, reason) => reason !== 'clickaway' && setIsOpen(false)}
      slotProps={{ transition: { onExited: onGone } }}
      sx={{ position: 'static', pointerEvents: 'auto' }}
    >
      <Alert
        severity={message.severity}
        variant="filled"
        lang={langOf(message.text)}
        role={message.severity === 'error' ? 'alert' : 'status'}
        action={
          <>
            {message.actions?.map(({ label, onClick }) => (
              <Button
                key={label}
                color="inherit"
                onClick={() => {
                  setIsOpen(false)
                  onClick()
                }}
              >
                {label}
              </Button>
            ))}
            <IconButton aria-label={t('ui.close')} size="small" color="inherit" onClick={() => setIsOpen(false)}>
              <CloseRounded fontSize="small" />
            </IconButton>
          </>
        }
        sx={{ width: '100%', maxWidth: 520, ...(message.actions && { alignItems: 'center' }) }}
      >
        {message.text}
      </Alert>
    </Snackbar>
  )
}
