import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { BrandMark } from '../ui/BrandMark.tsx'

interface Props {
  heading: string
  message: string
  /** The text of the exception, for a report. Shown on request. */
  details?: string
  children: ReactNode
}

/** The error page of last resort: describes the error and offers a way to continue. */
export function ErrorPage({ heading, message, details, children }: Props) {
  return (
    <Box
      component="main"
      sx={{
        minHeight: '100dvh',
        display: 'grid',
        placeContent: 'center',
        justifyItems: 'center',
        textAlign: 'center',
        gap: 2,
        p: 3,
      }}
    >
      <BrandMark size={48} />
      <Typography variant="h2" component="h1">
        {heading}
      </Typography>
      <Typography role="alert" color="textSecondary" sx={{ maxWidth: 440, overflowWrap: 'anywhere' }}>
        {message}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 1.5, mt: 1 }}>{children}</Box>
      {details !== undefined && (
        <Box component="details" sx={{ maxWidth: 440, color: 'text.secondary', typography: 'body2' }}>
          <summary>{t('shell.details')}</summary>
          <Box component="code" sx={{ overflowWrap: 'anywhere' }}>
            {details}
          </Box>
        </Box>
      )}
    </Box>
  )
}
