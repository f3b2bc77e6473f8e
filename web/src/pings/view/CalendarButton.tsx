import type { PingId } from '@hither/contract/ids.ts'
import EventRounded from '@mui/icons-material/EventRounded'
import Button from '@mui/material/Button'
import { useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { saveCalendarEntry } from './calendar.ts'

interface Props {
  pingId: PingId
  /** The token of a guest without account. */
  guestToken?: string | undefined
}

/** Saves a scheduled ping, whose exact place the viewer knows, as a calendar entry. */
export function CalendarButton({ pingId, guestToken }: Props) {
  const { showError } = useSnackbar()
  const [isSaving, setIsSaving] = useState(false)

  async function handleSave() {
    setIsSaving(true)
    try {
      await saveCalendarEntry(pingId, guestToken)
    } catch {
      showError(t('pings.calendarFailed'))
    }
    setIsSaving(false)
  }

  return (
    <Button variant="outlined" startIcon={<EventRounded />} aria-busy={isSaving} onClick={handleSave}>
      {t('pings.addToCalendar')}
    </Button>
  )
}
