import { pingLimits } from '@hither/contract/runtime/pings.ts'
import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import { t } from '../../i18n/translate.ts'
import { zoneName } from '../../ui/format-time.ts'
import { hourOfDay, localInputOf, nextFullHour } from '../../ui/local-input.ts'
import { TextField } from '../../ui/TextField.tsx'
import { SwitchField } from './SwitchField.tsx'

interface Props {
  isScheduled: boolean
  startsAt: string
  nowMs: number
  error: string | undefined
  /** Without it, the ping stays scheduled. */
  onToggle?: (isScheduled: boolean) => void
  onChange: (startsAt: string) => void
}

export function ScheduleField({ isScheduled, startsAt, nowMs, error, onToggle, onChange }: Props) {
  function handleToggle(isOn: boolean) {
    onToggle?.(isOn)
    if (isOn && startsAt === '') onChange(localInputOf(nextFullHour(nowMs)))
  }

  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {onToggle && <SwitchField label={t('pings.create.schedule')} checked={isScheduled} onChange={handleToggle} />}
      {isScheduled && (
        <>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
            {startsFor(nowMs).map(({ label, atMs }) => (
              <Chip
                key={label}
                label={label}
                color={startsAt === localInputOf(atMs) ? 'primary' : 'default'}
                aria-pressed={startsAt === localInputOf(atMs)}
                onClick={() => onChange(localInputOf(atMs))}
                sx={{ minHeight: 44, borderRadius: 999, px: 0.5, fontWeight: 700 }}
              />
            ))}
          </Box>
          <TextField
            type="datetime-local"
            label={t('pings.create.scheduleAt')}
            value={startsAt}
            onChange={(event) => onChange(event.target.value)}
            error={error !== undefined}
            helperText={error ?? t('pings.create.zone', { name: zoneName() })}
            slotProps={{
              inputLabel: { shrink: true },
              htmlInput: { min: localInputOf(nowMs), max: localInputOf(nowMs + pingLimits.scheduleHorizonMs) },
            }}
          />
        </>
      )}
    </Box>
  )
}

/** Frequent starts. This evening is offered until it begins. */
function startsFor(nowMs: number): { label: string; atMs: number }[] {
  const starts = [
    { label: t('pings.create.tonight'), atMs: hourOfDay(nowMs, 0, 19) },
    { label: t('pings.create.tomorrowNoon'), atMs: hourOfDay(nowMs, 1, 12) },
  ]
  return starts.filter(({ atMs }) => atMs > nowMs)
}
