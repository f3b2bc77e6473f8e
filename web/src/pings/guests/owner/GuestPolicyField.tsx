import type { GuestPolicy } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { t } from '../../../i18n/translate.ts'
import { PillChoice } from '../../create/PillChoice.tsx'

interface Props {
  value: GuestPolicy
  error?: string | undefined
  onChange: (value: GuestPolicy) => void
}

const policies = (['open', 'approval', 'off'] as const).map((value) => ({
  value,
  label: t(`pings.guestPolicy.policies.${value}`),
}))

/** Who may respond to a public ping without being invited. */
export function GuestPolicyField({ value, error, onChange }: Props) {
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <PillChoice
        legend={t('pings.guestPolicy.title')}
        options={policies}
        value={value}
        error={error}
        onChange={onChange}
      />
      {value !== 'off' && (
        <Typography variant="body2" color="textSecondary">
          {t('pings.guestPolicy.help')}
        </Typography>
      )}
    </Box>
  )
}
