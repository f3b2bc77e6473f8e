import type { Report } from '@hither/contract/reports.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { t, textOf } from '../../i18n/translate.ts'
import { coordinatesText } from '../../map/location/coordinates.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ReportPicture } from './ReportPicture.tsx'

export function ReportContent({ report }: { report: Report }) {
  const { latitude, longitude } = report
  return (
    <Box
      component="blockquote"
      sx={{
        mx: 0,
        my: 1.5,
        px: 1.5,
        py: 1.25,
        borderRadius: '12px',
        bgcolor: 'background.default',
        border: 1,
        borderColor: 'divider',
        display: 'grid',
        gap: 0.5,
        overflowWrap: 'anywhere',
      }}
    >
      <Typography sx={{ fontWeight: 700 }}>{report.username}</Typography>
      {report.name !== null && <Typography sx={{ fontWeight: 600 }}>{report.name}</Typography>}
      {report.content !== null && <Typography sx={{ whiteSpace: 'pre-wrap' }}>{contentOf(report)}</Typography>}
      {report.address !== null && <Typography variant="body2">{report.address}</Typography>}
      {latitude !== null && longitude !== null && (
        <Typography variant="body2" color="textSecondary">
          {coordinatesText({ latitude, longitude })}
        </Typography>
      )}
      {report.made_at !== null && (
        <Typography variant="body2" color="textSecondary">
          {t('admin.madeAt')} <RelativeTime at={report.made_at} />
        </Typography>
      )}
      {report.has_picture && <ReportPicture report={report} />}
    </Box>
  )
}

/** The content of a report of a guest is the answer. */
function contentOf({ subject, content }: Report): string | null {
  return subject === 'guest' && content !== null ? (textOf(`admin.answers.${content}`) ?? content) : content
}
