import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { InfoDialog } from './InfoDialog.tsx'
import { privacyStrings } from './privacy-strings.ts'

export function PrivacyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <InfoDialog open={open} title={privacyStrings.title} maxWidth="sm" onClose={onClose}>
      <Typography variant="body2" color="textSecondary">
        {privacyStrings.lastUpdated}
      </Typography>
      <Typography sx={{ mt: 2 }}>{privacyStrings.summary}</Typography>
      {privacyStrings.sections.map(({ heading, text }) => (
        <Box key={heading} component="section" sx={{ mt: 3 }}>
          <Typography component="h3" variant="subtitle1" sx={{ fontWeight: 700, mb: 0.5 }}>
            {heading}
          </Typography>
          {text.map((paragraph) => (
            <Typography key={paragraph} color="textSecondary" sx={{ mb: 1 }}>
              {paragraph}
            </Typography>
          ))}
        </Box>
      ))}
    </InfoDialog>
  )
}
