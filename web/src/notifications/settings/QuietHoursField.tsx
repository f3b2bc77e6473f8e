import type { QuietHours } from '@hither/contract/notifications.ts'
import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import { useState } from 'react'
import { zoneOfDevice } from '../../i18n/time-zone.ts'
import { t } from '../../i18n/translate.ts'
import { PreferenceSwitch } from '../../ui/settings/PreferenceSwitch.tsx'
import { TextField } from '../../ui/TextField.tsx'

interface Props {
  quietHours: QuietHours | null
  /** Resolves to whether the change was saved. */
  onChange: (quietHours: QuietHours | null) => Promise<boolean>
}

const usual = { from: '22:00', to: '07:00' }
const times = [
  { name: 'from', label: t('notifications.settings.from') },
  { name: 'to', label: t('notifications.settings.to') },
] as const

/** The times are in the time zone of this device. */
export function QuietHoursField({ quietHours, onChange }: Props) {
  // While the user is editing, the fields may contain invalid times.
  const [chosen, setChosen] = useState<typeof usual | null>(null)
  const { from, to } = chosen ?? quietHours ?? usual
  const isEmpty = from !== '' && from === to

  async function handleTime(name: 'from' | 'to', time: string) {
    const next = { from, to, [name]: time }
    setChosen(next)
    if (next.from === '' || next.to === '' || next.from === next.to) return
    if (!(await onChange({ ...next, time_zone: zoneOfDevice() }))) setChosen(null)
  }

  function handleSwitch(checked: boolean) {
    setChosen(null)
    void onChange(checked ? { ...usual, time_zone: zoneOfDevice() } : null)
  }

  return (
    <>
      <PreferenceSwitch
        label={t('notifications.settings.quiet')}
        text={t('notifications.settings.quietText')}
        checked={quietHours !== null}
        onChange={handleSwitch}
      />
      {quietHours !== null && (
        <Box sx={{ px: 2, pt: 1, pb: 1.5 }}>
          <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 1.5 }}>
            {times.map(({ name, label }) => (
              <TextField
                key={name}
                type="time"
                label={label}
                value={name === 'from' ? from : to}
                error={isEmpty}
                onChange={(event) => void handleTime(name, event.target.value)}
                slotProps={{ inputLabel: { shrink: true } }}
              />
            ))}
          </Box>
          <FormHelperText error={isEmpty} role={isEmpty ? 'alert' : undefined} sx={{ mx: 1.75 }}>
            {isEmpty
              ? t('notifications.quietHoursEmpty')
              : t('notifications.settings.zone', { name: quietHours.time_zone })}
          </FormHelperText>
        </Box>
      )}
    </>
  )
}
