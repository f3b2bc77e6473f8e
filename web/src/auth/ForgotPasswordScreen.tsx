import MarkEmailReadRounded from '@mui/icons-material/MarkEmailReadRounded'
import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { Link, useLocation } from 'react-router'
import { messageOf } from '../api/api-error.ts'
import { FormField } from '../ui/FormField.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useForm } from '../ui/use-form.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { checkEmail } from './account.rules.ts'
import { useForgotPassword } from './auth.api.ts'
import { authStrings } from './strings.ts'

export function ForgotPasswordScreen() {
  const { state } = useLocation()
  const request = useForgotPassword()
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: '' } })
  const submit = handleSubmit(({ email }) => {
    if (!request.isPending) request.mutate(email.trim())
  })
  const back = (
    <Button component={Link} to="/login" state={state} size="large">
      {authStrings.backToSignIn}
    </Button>
  )

  if (request.data) {
    return (
      <AuthLayout heading={authStrings.checkYourEmail}>
        <Stack spacing={2} role="status" sx={{ mb: 4 }}>
          <MarkEmailReadRounded color="primary" sx={{ fontSize: 48 }} />
          {/* The server's sentence: it must not tell whether there is such an account. */}
          <Typography>{request.data.message}</Typography>
          <Typography color="textSecondary">{authStrings.linkSteps}</Typography>
        </Stack>
        <Stack>{back}</Stack>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout heading={authStrings.forgotHeading} line={authStrings.forgotLine}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={submit}>
        {request.isError && <Alert severity="error">{messageOf(request.error, authStrings.forgotFailed)}</Alert>}
        <FormField
          label={authStrings.email}
          type="email"
          autoComplete="username"
          registration={register('email', { validate: checkEmail })}
          error={formState.errors.email?.message}
        />
        <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={request.isPending}>
          {authStrings.sendLink}
        </LoadingButton>
        {back}
      </Stack>
    </AuthLayout>
  )
}
