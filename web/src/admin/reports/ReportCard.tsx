import type { Report } from '@hither/contract/reports.ts'
import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { t, textOf } from '../../i18n/translate.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ReportActions } from './ReportActions.tsx'
import { ReportContent } from './ReportContent.tsx'

/** A report with its reason and the content at the time of the report. */
export function ReportCard({ report }: { report: Report }) {
  return (
    <Card component="article" aria-label={`${subjectOf(report)}, ${report.username}`} sx={{ p: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Typography component="h2" variant="subtitle1" sx={{ marginInlineEnd: 'auto' }}>
          {textOf(`moderation.reason.${report.reason}`) ?? report.reason}
        </Typography>
        {report.is_suspended && <Chip size="small" color="error" variant="outlined" label={t('admin.suspendedNow')} />}
        <Chip size="small" variant="outlined" label={subjectOf(report)} />
      </Box>
      <Typography variant="body2" color="textSecondary">
        {report.reporter_username === null
          ? t('admin.reportedByDeleted')
          : t('admin.reportedBy', { name: report.reporter_username })}
        , <RelativeTime at={report.created_at} />
      </Typography>
      {report.text !== null && (
        <Typography sx={{ mt: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{report.text}</Typography>
      )}
      <ReportContent report={report} />
      {report.handled_at !== null && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
          {handledText(report)}, <RelativeTime at={report.handled_at} />
        </Typography>
      )}
      <ReportActions report={report} />
    </Card>
  )
}

// A newer server may have kinds that this app does not know.
function subjectOf({ subject }: Report): string {
  return textOf(`admin.subjects.${subject}`) ?? subject
}

function handledText({ outcome: kind, handled_by_username: name }: Report): string {
  const outcome = textOf(`admin.outcomes.${kind}`) ?? kind
  return name === null ? outcome : t('admin.handledBy', { outcome, name })
}
