import type { User } from '@hither/contract/users.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Card from '@mui/material/Card'
import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'
import { dismissSuggestion, useIsSuggested } from './suggestion.ts'
import { usePushState } from './use-push-state.ts'
import { usePushToggle } from './use-push-toggle.ts'

/**
 * A card that explains the purpose before the browser asks for the permission. It stays until the user responds or
 * opens another screen. The screen gives it a place where it moves nothing.
 */
export function NotificationSuggestion({ user }: { user: User }) {
  const isSuggested = useIsSuggested()
  const { state, pushKey } = usePushState(user)
  const { turnOn } = usePushToggle(user)
  // Without a service worker no notification can be shown.
  const isShown = isSuggested && state === 'off' && navigator.serviceWorker.controller !== null

  function handleTurnOn() {
    dismissSuggestion()
    if (pushKey !== null) void turnOn(pushKey)
  }

  return (
    // Always rendered, so that screen readers announce its text when it changes.
    <Box role="status">
      {isShown && (
        <Card sx={{ maxWidth: 480, px: 2, pt: 1.5, pb: 0.5, boxShadow: 4 }}>
          <Typography variant="body2" sx={{ fontWeight: 600 }}>
            {t('notifications.suggestion.text')}
          </Typography>
          <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
            <Button size="small" color="inherit" onClick={dismissSuggestion}>
              {t('notifications.suggestion.later')}
            </Button>
            <Button size="small" onClick={handleTurnOn}>
              {t('notifications.suggestion.turnOn')}
            </Button>
          </Box>
        </Card>
      )}
    </Box>
  )
}
