import Button from '@mui/material/Button'
import { Link } from 'react-router'
import { ErrorPage } from './ErrorPage.tsx'
import { shellStrings } from './strings.ts'

/** Shown in place of a screen at an unknown address. */
export function NotFoundPage() {
  return (
    <ErrorPage heading={shellStrings.routerError} message={shellStrings.notFound}>
      <Button component={Link} to="/" variant="contained">
        {shellStrings.goHome}
      </Button>
      <Button onClick={() => location.reload()}>{shellStrings.reload}</Button>
    </ErrorPage>
  )
}
