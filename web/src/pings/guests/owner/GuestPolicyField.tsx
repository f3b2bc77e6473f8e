import type { GuestPolicy } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { PillChoice } from '../../create/PillChoice.tsx'
import { guestPolicyStrings as strings } from './strings.ts'

interface Props {
  value: GuestPolicy
  error?: string | undefined
  onChange: (value: GuestPolicy) => void
}

const policies = (['open', 'approval', 'off'] as const).map((value) => ({ value, label: strings.policies[value] }))

/** Who may respond to a public ping without being invited. */
export function GuestPolicyField({ value, error, onChange }: Props) {
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <PillChoice legend={strings.title} options={policies} value={value} error={error} onChange={onChange} />
      {value !== 'off' && (
        <Typography variant="body2" color="textSecondary">
          {strings.help}
        </Typography>
      )}
    </Box>
  )
}
