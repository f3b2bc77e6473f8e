import { type User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { suggestionStrings as strings } from './strings.ts'
import { dismissSuggestion, useIsSuggested } from './suggestion.ts'
import { usePushState } from './use-push-state.ts'
import { useTurnPush } from './use-turn-push.ts'

/** Says what for before the browser asks for its permission. Stays until it is answered, and covers nothing. */
export function NotificationSuggestion({ user }: { user: User }) {
  const isSuggested = useIsSuggested()
  const { state, pushKey } = usePushState(user)
  const { turnOn } = useTurnPush(user)
  // Without a service worker there is nobody to show one.
  const isShown = isSuggested && state === 'off' && navigator.serviceWorker.controller !== null

  function handleTurnOn() {
    dismissSuggestion()
    if (pushKey !== null) void turnOn(pushKey)
  }

  return (
    // Always there, so that screen readers hear its text arrive.
    <Box role="status">
      {isShown && (
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            justifyContent: 'center',
            columnGap: 2,
            px: 2,
            py: 0.75,
            bgcolor: 'background.paper',
            borderBottom: 1,
            borderColor: 'divider',
          }}
        >
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {strings.text}
          </Typography>
          <Box sx={{ display: 'flex', ml: { xs: 'auto', sm: 0 } }}>
            <Button size="small" color="inherit" onClick={dismissSuggestion}>
              {strings.later}
            </Button>
            <Button size="small" onClick={handleTurnOn}>
              {strings.turnOn}
            </Button>
          </Box>
        </Box>
      )}
    </Box>
  )
}
