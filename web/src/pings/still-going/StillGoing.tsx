import type { ResponseType } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useId } from 'react'
import { useServerNow } from '../../api/server-time.ts'
import { t } from '../../i18n/translate.ts'
import { ResponseChoice } from '../view/ResponseChoice.tsx'
import { type ChangedPing, type OutdatedResponse, questionOf, questionText } from './still-going.rules.ts'

export interface Question {
  /** The name of the owner that others see. */
  owner: string
  ping: ChangedPing
  response: OutdatedResponse
  onAnswer: (type: ResponseType) => void
}

/** Names what has changed since the person responded, and asks again. */
export function StillGoing({ owner, ping, response, onAnswer }: Question) {
  const id = useId()
  const nowMs = useServerNow(60_000)
  const isGoing = response.response_type === 'accepted'
  return (
    <Box
      component="section"
      aria-labelledby={id}
      sx={{
        display: 'grid',
        gap: 1.5,
        p: 2,
        borderRadius: '16px',
        border: 2,
        borderColor: 'warning.main',
        bgcolor: 'background.paper',
      }}
    >
      <Typography id={id} component="h2" variant="subtitle1" sx={{ overflowWrap: 'anywhere', lineHeight: 1.35 }}>
        {questionText(owner, ping, response, nowMs)}
      </Typography>
      <ResponseChoice
        chosen={null}
        label={questionOf(response)}
        {...(isGoing && { goingText: t('pings.stillGoing.yes') })}
        onChoose={onAnswer}
      />
    </Box>
  )
}
