import Button from '@mui/material/Button'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { ErrorPage } from './ErrorPage.tsx'
import { shellStrings } from './strings.ts'

export function RouteErrorScreen() {
  return (
    <ErrorPage heading={shellStrings.routerError} message={messageOf(useRouteError())}>
      <Button component={Link} to="/">
        {shellStrings.goHome}
      </Button>
      <Button variant="contained" onClick={() => location.reload()}>
        {shellStrings.reload}
      </Button>
    </ErrorPage>
  )
}

function messageOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return error.status === 404 ? shellStrings.notFound : error.statusText
  return error instanceof Error && error.message !== '' ? error.message : shellStrings.boundaryText
}
