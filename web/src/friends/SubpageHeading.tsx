import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { mirrored } from '../i18n/language.ts'

/** The heading of a screen below `/friends`, with the way back. */
export function SubpageHeading({ title, backLabel }: { title: string; backLabel: string }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5, marginInlineStart: -1.5 }}>
      <IconButton component={Link} to="/friends" title={backLabel}>
        <ArrowBackRounded sx={mirrored} />
      </IconButton>
      <Typography variant="h2" component="h1">
        {title}
      </Typography>
    </Box>
  )
}
