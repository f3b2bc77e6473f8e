import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { Column } from '../ui/Column.tsx'
import { useTitle } from '../ui/use-title.ts'
import { adminStrings as strings } from './strings.ts'

export function AdminNotFound() {
  useTitle(strings.notFound)
  return (
    <Column>
      <Box sx={{ display: 'grid', justifyItems: 'center', textAlign: 'center', gap: 2, py: 6 }}>
        <Typography variant="h2" component="h1">
          {strings.notFound}
        </Typography>
        <Typography color="textSecondary">{strings.notFoundText}</Typography>
        <Button variant="contained" component={Link} to="/">
          {strings.goHome}
        </Button>
      </Box>
    </Column>
  )
}
