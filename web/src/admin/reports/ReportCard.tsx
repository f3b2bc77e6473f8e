import type { Report } from '@hither/contract/reports.ts'
import Box from '@mui/material/Box'
import Card from '@mui/material/Card'
import Chip from '@mui/material/Chip'
import Typography from '@mui/material/Typography'
import { reasonNames } from '../../moderation/strings.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { adminStrings as strings } from '../strings.ts'
import { ReportActions } from './ReportActions.tsx'
import { ReportContent } from './ReportContent.tsx'

/** A report with its reason and the content at the time of the report. */
export function ReportCard({ report }: { report: Report }) {
  return (
    <Card component="article" aria-label={`${strings.subjects[report.subject]}, ${report.username}`} sx={{ p: 2 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Typography component="h2" variant="subtitle1" sx={{ marginInlineEnd: 'auto' }}>
          {reasonNames[report.reason]}
        </Typography>
        {report.is_suspended && <Chip size="small" color="error" variant="outlined" label={strings.suspendedNow} />}
        <Chip size="small" variant="outlined" label={strings.subjects[report.subject]} />
      </Box>
      <Typography variant="body2" color="textSecondary">
        {strings.reportedBy(report.reporter_username)}, <RelativeTime at={report.created_at} />
      </Typography>
      {report.text !== null && (
        <Typography sx={{ mt: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{report.text}</Typography>
      )}
      <ReportContent report={report} />
      {report.handled_at !== null && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1.5 }}>
          {strings.handledBy(strings.outcomes[report.outcome], report.handled_by_username)},{' '}
          <RelativeTime at={report.handled_at} />
        </Typography>
      )}
      <ReportActions report={report} />
    </Card>
  )
}
