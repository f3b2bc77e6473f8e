import Alert from '@mui/material/Alert'
import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { t } from '../../i18n/translate.ts'
import { shortDate } from '../../ui/format-time.ts'
import { statusQuery } from '../admin.api.ts'

/** Says that there is a newer version, or that the server could not find out. `ServerFigures` shows the errors of the same query. */
export function UpdateLine() {
  const { data: status } = useQuery(statusQuery())
  // A server of an earlier version sends none.
  if (status?.update == null) return null
  const { version, notes_url, checked_at, failed } = status.update
  if (failed) return <Alert severity="warning">{t('admin.updateFailed', { day: shortDate(checked_at) })}</Alert>
  if (version === null) return null
  return (
    <Alert severity="info">
      {t('admin.updateAvailable', { version })}{' '}
      {notes_url !== null && (
        <Link href={notes_url} target="_blank" rel="noopener noreferrer" color="inherit">
          {t('admin.updateNotes')}
        </Link>
      )}
    </Alert>
  )
}
