import { type User } from '@hither/contract/users.ts'
import Button from '@mui/material/Button'
import Snackbar from '@mui/material/Snackbar'
import { suggestionStrings as strings } from './strings.ts'
import { dismissSuggestion, useIsSuggested } from './suggestion.ts'
import { usePushState } from './use-push-state.ts'
import { useTurnPush } from './use-turn-push.ts'

/** Says what for before the browser asks for its permission. Stays until it is answered. */
export function NotificationSuggestion({ user }: { user: User }) {
  const isSuggested = useIsSuggested()
  const { state, pushKey } = usePushState(user)
  const { turnOn } = useTurnPush(user)

  function handleTurnOn() {
    dismissSuggestion()
    if (pushKey !== null) void turnOn(pushKey)
  }

  return (
    <Snackbar
      // Without a service worker there is nobody to show one.
      open={isSuggested && state === 'off' && navigator.serviceWorker.controller !== null}
      message={strings.text}
      anchorOrigin={{ vertical: 'top', horizontal: 'center' }}
      sx={{ top: { xs: 'calc(var(--top-bar, 0px) + 8px)', sm: 'calc(var(--top-bar, 0px) + 16px)' } }}
      action={
        <>
          <Button color="inherit" size="small" onClick={dismissSuggestion}>
            {strings.later}
          </Button>
          <Button color="inherit" size="small" sx={{ fontWeight: 700 }} onClick={handleTurnOn}>
            {strings.turnOn}
          </Button>
        </>
      }
    />
  )
}
