import type { User } from '@hither/contract/users.ts'
import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import Box from '@mui/material/Box'
import List from '@mui/material/List'
import ListItem from '@mui/material/ListItem'
import ListItemButton from '@mui/material/ListItemButton'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { mirrored } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { usePushState } from '../notifications/push/use-push-state.ts'
import { usePushToggle } from '../notifications/push/use-push-toggle.ts'
import { myPingsQuery } from '../pings/pings.api.ts'

interface Step {
  label: string
  text: string
  isDone: boolean
  onClick: () => void
}

/** The first three steps of a user without friends. Each is a button. */
export function NewcomerSteps({ user, onAdd }: { user: User; onAdd: () => void }) {
  const navigate = useNavigate()
  const { data: hasPins = false } = useQuery({ ...myPingsQuery(), select: (pings) => pings.length > 0 })
  const { state, pushKey } = usePushState(user)
  const { turnOn } = usePushToggle(user)

  function handleNotify() {
    // The profile explains why notifications cannot be turned on here.
    if (state === 'off' && pushKey !== null) void turnOn(pushKey)
    else navigate('/profile')
  }

  const steps: Step[] = [
    { ...textsOf('friend'), isDone: false, onClick: () => navigate('/friends') },
    { ...textsOf('pin'), isDone: hasPins, onClick: onAdd },
    { ...textsOf('notify'), isDone: state === 'on', onClick: handleNotify },
  ]

  return (
    <Box sx={{ pb: 1 }}>
      <Typography variant="body2" color="textSecondary" sx={{ px: 2, pb: 0.5 }}>
        {t('pings.noneNearby')}
      </Typography>
      <List disablePadding aria-label={t('home.stepsLabel')}>
        {steps.map((step, index) => (
          <StepRow key={step.label} {...step} number={index + 1} />
        ))}
      </List>
    </Box>
  )
}

function textsOf(step: 'friend' | 'pin' | 'notify') {
  return { label: t(`home.steps.${step}.label`), text: t(`home.steps.${step}.text`) }
}

function StepRow({ number, label, text, isDone, onClick }: Step & { number: number }) {
  return (
    <ListItem disablePadding {...(number === 1 && { 'data-peek': true })}>
      <ListItemButton onClick={onClick} sx={{ gap: 2, px: 2, py: 1, minHeight: 64 }}>
        {isDone ? (
          <CheckCircleRounded aria-hidden color="success" sx={{ width: 36, height: 36 }} />
        ) : (
          <Box
            aria-hidden
            sx={{
              display: 'grid',
              placeItems: 'center',
              width: 36,
              height: 36,
              flexShrink: 0,
              borderRadius: '50%',
              border: 2,
              borderColor: 'primary.main',
              color: 'primary.main',
              fontWeight: 800,
            }}
          >
            {number}
          </Box>
        )}
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography sx={{ fontWeight: 700, lineHeight: 1.3 }}>{label}</Typography>
          <Typography variant="body2" color="textSecondary">
            {text}
          </Typography>
          {isDone && <span style={visuallyHidden}>{t('home.stepDone')}</span>}
        </Box>
        <ChevronRightRounded aria-hidden sx={{ color: 'text.secondary', ...mirrored }} />
      </ListItemButton>
    </ListItem>
  )
}
