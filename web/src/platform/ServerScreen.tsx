import Stack from '@mui/material/Stack'
import { Navigate } from 'react-router'
import { serverOrigin } from '../api/base-address.ts'
import { unreachable } from '../api/transport.ts'
import { AuthLayout } from '../auth/AuthLayout.tsx'
import { FormField } from '../ui/FormField.tsx'
import { LoadingButton } from '../ui/LoadingButton.tsx'
import { useForm } from '../ui/use-form.ts'
import { isNative } from './is-native.ts'
import { isHitherServer, originOf } from './server-address.ts'
import { platformStrings } from './strings.ts'

/** Only the packaged app has to ask where its server is; a page in a browser came from it. */
export function ServerScreen() {
  const chosen = serverOrigin()
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { address: chosen === location.origin ? '' : chosen },
  })
  if (!isNative()) return <Navigate to="/" replace />

  async function submit({ address }: { address: string }) {
    const origin = originOf(address)
    if (origin === null) return setError('address', { message: platformStrings.badAddress })
    const fault = await faultOf(origin)
    if (fault !== null) return setError('address', { message: fault })
    const { chooseServer } = await import('./native-server.ts')
    await chooseServer(origin)
  }

  return (
    <AuthLayout heading={platformStrings.serverHeading} line={platformStrings.serverLine}>
      <Stack component="form" noValidate spacing={2.5} onSubmit={handleSubmit(submit)}>
        <FormField
          label={platformStrings.serverLabel}
          type="url"
          autoComplete="url"
          slotProps={{ htmlInput: { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false } }}
          registration={register('address')}
          error={formState.errors.address?.message}
          helper={platformStrings.serverExample}
        />
        <LoadingButton type="submit" variant="contained" size="large" fullWidth isWorking={formState.isSubmitting}>
          {platformStrings.continue}
        </LoadingButton>
      </Stack>
    </AuthLayout>
  )
}

async function faultOf(origin: string): Promise<string | null> {
  try {
    return (await isHitherServer(origin)) ? null : platformStrings.noServer
  } catch {
    return unreachable
  }
}
