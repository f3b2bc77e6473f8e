import { pingLimits } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import { TextField } from '../ui/TextField.tsx'
import { SwitchField } from './SwitchField.tsx'
import { createStrings } from './strings.ts'
import { localInputOf, zoneName } from './times.ts'

interface Props {
  isScheduled: boolean
  startsAt: string
  nowMs: number
  error: string | undefined
  onToggle: (isScheduled: boolean) => void
  onChange: (startsAt: string) => void
}

export function ScheduleField({ isScheduled, startsAt, nowMs, error, onToggle, onChange }: Props) {
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <SwitchField label={createStrings.schedule} checked={isScheduled} onChange={onToggle} />
      {isScheduled && (
        <TextField
          type="datetime-local"
          label={createStrings.scheduleAt}
          value={startsAt}
          onChange={(event) => onChange(event.target.value)}
          error={error !== undefined}
          helperText={error ?? createStrings.zone(zoneName())}
          slotProps={{
            inputLabel: { shrink: true },
            htmlInput: { min: localInputOf(nowMs), max: localInputOf(nowMs + pingLimits.scheduleHorizonMs) },
          }}
        />
      )}
    </Box>
  )
}
