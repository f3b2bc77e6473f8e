import { type Ping, type ResponseType } from '@hither/contract/pings.ts'
import { type User } from '@hither/contract/users.ts'
import CheckRounded from '@mui/icons-material/CheckRounded'
import CloseRounded from '@mui/icons-material/CloseRounded'
import QuestionMarkRounded from '@mui/icons-material/QuestionMarkRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import { messageOf } from '../api/api-error.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { useWaitingAnswer } from './ping-outbox.ts'
import { useRespondToPing } from './pings.api.ts'
import { responseOf } from './pings.rules.ts'
import { pingStrings, waitingStrings } from './strings.ts'

const choices = [
  { type: 'accepted', colour: 'success', Icon: CheckRounded },
  { type: 'tentative', colour: 'warning', Icon: QuestionMarkRounded },
  { type: 'declined', colour: 'text', Icon: CloseRounded },
] as const

/** Going, maybe, can't: the chosen one stands out, and pressing it again takes the answer back. */
export function ResponseButtons({ ping, viewer }: { ping: Ping; viewer: User }) {
  const respond = useRespondToPing(ping.id, viewer)
  const { showError } = useSnackbar()
  const waiting = useWaitingAnswer(ping.id)
  const chosen = waiting === undefined ? responseOf(ping.responses, viewer.id) : waiting.response_type

  function handlePress(type: ResponseType) {
    const next = type === chosen ? null : type
    const fallback = next === null ? pingStrings.removeResponseFailed : pingStrings.respondFailed
    respond.mutateAsync(next).catch((error: unknown) => showError(messageOf(error, fallback)))
  }

  return (
    <Box sx={{ display: 'grid', gap: 0.5 }}>
      <Box role="group" aria-label={pingStrings.respondTitle} sx={{ display: 'flex', gap: 1 }}>
        {choices.map(({ type, colour, Icon }) => {
          const isChosen = type === chosen
          const [background, foreground] =
            colour === 'text' ? ['text.secondary', 'background.paper'] : [`${colour}.main`, `${colour}.contrastText`]
          return (
            <ButtonBase
              key={type}
              aria-pressed={isChosen}
              onClick={() => handlePress(type)}
              sx={{
                flex: '1 1 0',
                flexDirection: 'column',
                gap: 0.25,
                minHeight: 56,
                px: 0.5,
                borderRadius: '12px',
                border: 1,
                borderColor: isChosen ? background : 'divider',
                bgcolor: isChosen ? background : 'transparent',
                color: isChosen ? foreground : 'text.primary',
                typography: 'body2',
                fontWeight: 700,
                transition: 'background-color 150ms ease-out',
                '&:hover': { borderColor: background },
              }}
            >
              <Icon fontSize="small" sx={{ color: isChosen ? 'inherit' : background }} />
              {pingStrings.responseButtons[type]}
            </ButtonBase>
          )
        })}
      </Box>
      <Typography role="status" variant="body2" color="textSecondary" sx={{ fontWeight: 600 }}>
        {waiting !== undefined && waitingStrings.waiting}
      </Typography>
    </Box>
  )
}
